// Arguments -> command -> exit code; the one place that exits.
