"""Parts of the one-prompt runtime: context, prompt, reply and trace."""
