"""What the warehouse must look like before it is published: great-expectations suites as data."""
