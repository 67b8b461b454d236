SELECT part, cause FROM failure
