"""What subcommands share: arguments and options, ways of printing, the live line."""
