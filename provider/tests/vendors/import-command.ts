import { importFile } from '#provider/operation/commands/import-file.ts';
import type { ActionRunner } from '#provider/operation/commands/operate.ts';
import { perform } from '#provider/operation/operators/commands.ts';
import type { Fields, Provider } from '../kit/harness.ts';

interface Output {
  readonly lines: readonly string[];
  /** True if the command ended with an error. */
  readonly failed: boolean;
}

interface RunOptions {
  readonly json?: boolean;
  /** What the operator enters when the command asks for a password. */
  readonly password?: string;
  /** The number of batches before an interruption. */
  readonly stopAfter?: number;
}

/** `users import` on the database of a provider, with the fields of its command line. A batch has so many bytes at most. */
export function importCommand(provider: Pick<Provider, 'services'>, mostBytes = 400) {
  return async (
    fields: Fields,
    { json = false, password = '', stopAfter = Infinity }: RunOptions = {},
  ): Promise<Output> => {
    // prettier-ignore
    const interruption = new AbortController();
    let batches = 0;
    const runner: ActionRunner = {
      project: provider.services.project,
      mostBytes,
      close: () => Promise.resolve(),
      run: async (name, request) => {
        batches += 1;
        if (batches >= stopAfter) interruption.abort();
        return JSON.parse(JSON.stringify(await perform(provider.services, name, request))) as Fields;
      },
    };
    const output: string[] = [];
    const write = (text: string): void => void output.push(text);
    const ask = (): Promise<string> => Promise.resolve(password);
    try {
      const end = await importFile(runner, { fields, json }, write, interruption.signal, ask);
      return { lines: [...output, ...end.split('\n')], failed: false };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { lines: [...output, ...error.message.split('\n')], failed: true };
    }
  };
}
