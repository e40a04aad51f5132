// Keys that people look for in a service: those that stand elsewhere, and the words that other tools have for them.

/** The hint for each; they win over a name that is spelt alike. */
export const OTHER_WORDS: Readonly<Record<string, string>> = {
  healthcheck: 'health checks stand under deployment.health_check',
  deploy: 'it is called deployment',
  rolling: 'deployment.strategy: rolling',
  version: 'only the root manifest declares version',
  environment: 'variables stand under env.vars',
  env_file: 'it stands under env.file',
  restart: 'restart_policy: always, on-failure or never',
  cwd: 'it is called working_dir',
  working_directory: 'it is called working_dir',
  on_error: 'hooks.onerr runs after an unsuccessful exit',
  image: 'sup runs programs, not images: give command or exec',
  ports: 'a service opens its ports itself; give it the number in env.vars',
};
