"""What flows stand on: compute, the Prefect server, attempts, progress. No judgement about matters."""
