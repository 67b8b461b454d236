"""The anchor judge: a criterion is found in a deliverable and its value compared."""
