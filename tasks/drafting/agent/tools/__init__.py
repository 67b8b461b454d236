"""What an agent may do: read, write, edit, glob, grep, bash, and the toolbox by function calling."""
