import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { ROOT } from '#scripts/lib/root.mjs';

interface Instruction {
  readonly name: string;
  readonly value: string;
}

export interface Containerfile {
  readonly text: string;
  readonly instructions: readonly Instruction[];
  /** Those of the last stage, which is the image. */
  readonly last: readonly Instruction[];
  /** The value of an instruction of the last stage; empty without it. */
  readonly valueOf: (name: string) => string;
  readonly env: Readonly<Record<string, string>>;
  /** The entry point, or else the command. */
  readonly command: readonly string[];
}

/** Reads a Containerfile of the repository. */
export function readContainerfile(path: string): Containerfile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const instructions = DockerfileParser.parse(text)
    .getInstructions()
    .map((one) => ({ name: one.getKeyword(), value: one.getRawArgumentsContent() ?? '' }));
  const last = instructions.slice(instructions.map(({ name }) => name).lastIndexOf('FROM'));
  const valueOf = (name: string): string => last.find((one) => one.name === name)?.value ?? '';
  const env = Object.fromEntries(
    [...valueOf('ENV').matchAll(/\b(\w+)=(\S+)/gu)].map(([, name = '', value = '']) => [name, value]),
  );
  const command = JSON.parse(valueOf('ENTRYPOINT') || valueOf('CMD')) as readonly string[];
  return { text, instructions, last, valueOf, env, command };
}
