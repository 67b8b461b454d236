"""How often the router knows the class of a matter by its title."""
