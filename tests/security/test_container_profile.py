"""The container around runs with agents: what it gives up and what it limits, by the files themselves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from flows.settings import load_settings
from tasks.drafting.cli_agents.layout import PROCESSES
from tasks.drafting.cli_agents.records import adapter, adapter_names
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


def _mounts(service: dict[str, Any]) -> dict[str, bool]:
    """Return the places of mounts in the container, and whether each is read-only."""
    found = {}
    for volume in service["volumes"]:
        _, place, *mode = re.sub(r"\$\{[^}]*\}", "x", volume).split(":")
        found[place] = mode == ["ro"]
    return found


def test_nothing_but_the_home_and_a_memory_folder_can_be_written(project: Path):
    """The image is read-only; the data room and what says which models there are stay as they were given."""
    service = _compose(project)
    assert _mounts(service) == {"/corpus": True, "/work/solon.toml": True, "/work/.solon": False}
    (tmp,) = service["tmpfs"]
    assert tmp.startswith("/tmp:size=1g")
    assert service["environment"] == {"SOLON_HOME": "/work/.solon"}
    home = load_settings({}, cwd=project, env=service["environment"]).home
    assert str(home) == "/work/.solon", "the variable is one that Solon reads"
    spec, _ = _pod(project)
    (container,) = spec["containers"]
    readable = {m["mountPath"]: m.get("readOnly", False) for m in container["volumeMounts"]}
    assert readable == {"/corpus": True, "/work": False, "/tmp": False}
    claims = {v["name"]: v for v in spec["volumes"]}
    assert claims["corpus"]["persistentVolumeClaim"]["readOnly"] is True
    assert claims["tmp"]["emptyDir"]["sizeLimit"] == "1Gi"


def test_the_home_belongs_to_the_user_of_the_container(project: Path):
    """A named volume over a folder that the image has not would be root's, and no run could be kept."""
    image = (project / "deploy/Dockerfile").read_text()
    (uid,) = re.findall(r"useradd .*--uid (\d+) solon", image)
    made = re.findall(r"install -d -o solon -g solon (.*)", image)
    writable = [place for place, read_only in _mounts(_compose(project)).items() if not read_only]
    assert _compose(project)["user"] == f"{uid}:{uid}"
    assert made
    assert set(writable) <= set(made[0].split())
    spec, _ = _pod(project)
    assert {spec["securityContext"][name] for name in ("runAsUser", "runAsGroup", "fsGroup")} == {int(uid)}
    assert re.search(r"^USER solon$", image, re.MULTILINE)


def test_the_container_has_room_for_what_one_agent_may_use(project: Path):
    """A limit of the container below that of a command would kill Solon itself in place of the command."""
    service = _compose(project)
    memory = int(service["mem_limit"].removesuffix("g")) * 1024
    assert memory > max(Bounds().memory_mb, *(adapter(name).watch.memory_mb for name in adapter_names()))
    assert service["pids_limit"] > PROCESSES
    assert service["cpus"] > 0
    assert service["ulimits"]["core"] == 0, "a core file would hold documents and keys"
    said = re.search(
        r"a command has (\d+) GiB and (\d+) processes", (project / "deploy/sandbox/compose.yaml").read_text()
    )
    assert said
    assert (int(said[1]) * 1024, int(said[2])) == (Bounds().memory_mb, Bounds().processes)
    spec, _ = _pod(project)
    assert spec["containers"][0]["resources"]["limits"]["memory"] == f"{memory // 1024}Gi"


def test_the_pod_reaches_its_model_alone_and_nobody_reaches_it(project: Path):
    _, policy = _pod(project)
    to, dns = policy["egress"]
    assert to == {"to": [{"podSelector": {"matchLabels": {"app": "model"}}}]}
    assert dns == {"ports": [{"protocol": "UDP", "port": 53}]}
    spec, _ = _pod(project)
    assert not any(spec.get(name) for name in ("hostNetwork", "hostPID", "hostIPC"))
    assert not any("hostPath" in volume for volume in spec["volumes"])
    assert _compose(project)["networks"] == ["models"]


def test_what_the_files_run_are_commands_of_solon(project: Path):
    from flows.cli import build_parser

    spec, _ = _pod(project)
    parsed = build_parser().parse_args(spec["containers"][0]["args"])
    assert (str(parsed.corpus), parsed.cell) == ("/corpus", ["extractive"])
    assert 'ENTRYPOINT ["solon"]' in (project / "deploy/Dockerfile").read_text()
