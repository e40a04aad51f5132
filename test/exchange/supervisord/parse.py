"""Prints what supervisord makes of configurations: a JSON list with an entry for each file."""
import io, json, os, shlex, sys
from supervisor.datatypes import Automatic, RestartUnconditionally, RestartWhenExitUnexpected
from supervisor.options import FastCGIGroupConfig, ServerOptions


def policy(value):
    if value is RestartUnconditionally:
        return "always"
    return "on-failure" if value is RestartWhenExitUnexpected else "never"


def log_of(value):
    return "auto" if value is Automatic else value


def process(config):
    return {
        "name": config.name,
        "argv": shlex.split(config.command),
        "directory": config.directory,
        "environment": config.environment,
        "priority": config.priority,
        "autostart": config.autostart,
        "policy": policy(config.autorestart),
        "retries": config.startretries,
        "exitcodes": sorted(set(config.exitcodes) - {0}),
        "stopsignal": config.stopsignal,
        "stopwaitsecs": config.stopwaitsecs,
        "uid": config.uid,
        "umask": config.umask,
        "stdout": log_of(config.stdout_logfile),
        "stderr": log_of(config.stderr_logfile),
        "maxbytes": config.stdout_logfile_maxbytes,
        "backups": config.stdout_logfile_backups,
    }


def parse(path):
    os.chdir(os.path.dirname(path))
    options = ServerOptions()
    try:
        sys.stderr = io.StringIO()
        options.realize(["-c", path])
    except (SystemExit, ValueError):
        return {"refused": True}
    finally:
        sys.stderr = sys.__stderr__
    return {
        "groups": [
            {
                "name": group.name,
                "socket": group.socket_config.url if isinstance(group, FastCGIGroupConfig) else None,
                "processes": [process(config) for config in group.process_configs],
            }
            for group in options.process_group_configs
        ]
    }


print(json.dumps([parse(path) for path in sys.argv[1:]]))
