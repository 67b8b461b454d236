"""The container around runs with agents: what it gives up and what it limits, by the files themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tasks.drafting.workspace.records import Bounds


def _compose(project: Path) -> dict[str, Any]:
    return yaml.safe_load((project / "deploy/sandbox/compose.yaml").read_text())["services"]["solon"]


def _pod(project: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    pod, policy = yaml.safe_load_all((project / "deploy/sandbox/pod.yaml").read_text())
    return pod["spec"], policy["spec"]


def test_the_compose_service_gives_up_rights_and_has_limits(project: Path):
    service = _compose(project)
    assert service["cap_drop"] == ["ALL"]
    assert service["read_only"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert not service["user"].startswith(("0", "root"))
    assert service["pids_limit"] > Bounds().processes
    assert service["mem_limit"] == service["memswap_limit"]
    assert not {"privileged", "network_mode", "pid", "ipc", "devices", "cap_add", "ports"} & set(service)
    assert not any("docker.sock" in str(volume) for volume in service["volumes"])


def test_the_pod_gives_up_rights_and_has_limits(project: Path):
    spec, policy = _pod(project)
    assert spec["hostUsers"] is False
    assert spec["automountServiceAccountToken"] is False
    assert spec["securityContext"]["runAsNonRoot"]
    (container,) = spec["containers"]
    rights = container["securityContext"]
    assert rights["capabilities"] == {"drop": ["ALL"]}
    assert rights["readOnlyRootFilesystem"]
    assert rights["allowPrivilegeEscalation"] is False
    assert set(container["resources"]["limits"]) == {"cpu", "memory", "ephemeral-storage"}
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert "ingress" not in policy


def test_both_build_and_allow_what_a_sandbox_needs(project: Path):
    assert {"seccomp:unconfined", "systempaths=unconfined"} <= set(_compose(project)["security_opt"])
    spec, _ = _pod(project)
    assert spec["containers"][0]["securityContext"]["procMount"] == "Unmasked"
    assert "bubblewrap" in (project / "deploy/Dockerfile").read_text()
