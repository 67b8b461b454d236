"""The control plane: the Prefect server and its processes, recorded runs, artifacts and schedules."""
