"""Why a judge may be believed: criteria of known answer in each batch, drafts of known worth, sound rubrics."""
