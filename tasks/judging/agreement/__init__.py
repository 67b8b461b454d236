"""How far two judges, or a judge and people, agree: plain statistics over labels, with intervals."""
