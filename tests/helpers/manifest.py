"""The manifest for Kubernetes, as it is read."""

from __future__ import annotations

from typing import Any

import slurm
import yaml

MANIFEST = slurm.SCRIPT.with_suffix(".yaml")


def objects() -> list[dict[str, Any]]:
    """Return all objects of the manifest."""
    return list(yaml.safe_load_all(MANIFEST.read_text()))


def kind(name: str) -> dict[str, Any]:
    """Return the only object of a kind."""
    (found,) = (one for one in objects() if one["kind"] == name)
    return found


def containers() -> dict[str, dict[str, Any]]:
    """Return the container of each part, with its labels and the specifications around it."""
    found = {}
    for one in objects():
        if "template" in one["spec"]:
            template = one["spec"]["template"]
            (container,) = template["spec"]["containers"]
            labels = template["metadata"]["labels"]
            found[labels["part"]] = container | {"labels": labels, "pod": template["spec"], "of": one["spec"]}
    return found
