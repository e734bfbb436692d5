import { spawnSync } from 'node:child_process';

/** What a command begins with that sees no processes but its own, as in a container. The system ends it with `unshare`. */
export const OWN_PROCESSES = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'] as const;

/** Whether this process may make namespaces. */
export function mayUnshare(): boolean {
  const [command, ...args] = OWN_PROCESSES;
  return process.platform === 'linux' && spawnSync(command, [...args, '--net', 'true']).status === 0;
}
