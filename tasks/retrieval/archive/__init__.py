"""The archivist: papers cut and described for whoever looks into them, and what is missing to work on them."""
