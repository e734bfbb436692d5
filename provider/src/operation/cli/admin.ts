import type { AdminOptions } from './admin-options.ts';
import { operate } from './operate.ts';

/** Runs the action and resolves with the line to print. Uses the server that holds the folder if there is one, else the store. */
export async function runAdmin(options: AdminOptions): Promise<string> {
  const operating = await operate(options, options.fields['by'] ?? null);
  try {
    return String((await operating.run(options.action, options.fields))['token']);
  } finally {
    await operating.close();
  }
}
