import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askPassword } from '#provider/operation/commands/ask-password.ts';

/** A terminal, as readline sees it. */
function terminal() {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (raw: boolean) => void modes.push(raw) });
  const output = new PassThrough();
  return { input, output, modes, shown: () => String(output.read() ?? '') };
}

it('asks at a terminal for a password that is not shown', async () => {
  const { input, output, modes, shown } = terminal();
  const asking = askPassword('Password of ada: ', input, output);
  input.write('  violet tr\u00e4ctor \r');
  expect(await asking).toBe('  violet tr\u00e4ctor ');
  expect(shown()).toBe('Password of ada: \n');
  // In the raw mode the terminal does not echo what is typed.
  expect(modes).toEqual([true, false]);
});

it.each([['Ctrl-C', '\u0003'], ['Ctrl-D', '\u0004']])('imports nothing after %s at the question', async (_, key) => {
  const { input, output } = terminal();
  const asking = askPassword('Password: ', input, output);
  input.write(key);
  await expect(asking).rejects.toThrow('Interrupted. Nothing was imported.');
}); // prettier-ignore

it.each([
  ['violet tractor\nnext line\n', 'violet tractor'],
  [' spaces stay \r\n', ' spaces stay '],
  ['no end of line', 'no end of line'],
  ['\ufeffmark', '\ufeffmark'],
])('reads the first line of an input that is no terminal: %j', async (text, password) => {
  const input = new PassThrough();
  input.end(text);
  expect(await askPassword('Password: ', input, new PassThrough())).toBe(password);
});

it('refuses an input that is not text', async () => {
  const input = new PassThrough();
  input.end(Buffer.from([0xff, 0xfe, 0x0a]));
  await expect(askPassword('Password: ', input, new PassThrough())).rejects.toThrow('not text in UTF-8');
});
