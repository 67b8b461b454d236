"""How answers become a work product: a memorandum, a matrix or a short note."""
