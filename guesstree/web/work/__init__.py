"""What the server lets other processes do: functions of plain data that return plain data.

Nothing here knows of requests and pages. A function raises GuesstreeError, one line, for bad input.
"""
