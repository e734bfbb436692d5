import { useEffect, useRef } from 'react';
import { unknownOption } from '#domain/widget/option-names.ts';
import { ConsoleLog } from '#infrastructure/browser/console-log.ts';

const KINDS = { string: 'a string', boolean: 'true or false', function: 'a function', object: 'an object' } as const;
type Kind = keyof typeof KINDS;

/** The types of each prop of a component. A prop without types accepts any value. */
export type PropTable<Props> = { readonly [Name in keyof Props]-?: readonly Kind[] };

const log = new ConsoleLog(globalThis);

const isOf = (kinds: readonly string[], value: unknown): boolean =>
  kinds.includes(Array.isArray(value) ? 'array' : typeof value);

/** The mistakes in the props. Values that are undefined or null count as omitted. */
function propMistakes(props: object, table: Readonly<Record<string, readonly Kind[]>>): readonly string[] {
  const names = Object.keys(table);
  return Object.entries(props).flatMap(([name, value]) => {
    const kinds = names.includes(name) ? table[name] : undefined;
    if (kinds === undefined) return [unknownOption({ [name]: value }, names) ?? name];
    if (kinds.length === 0 || (value ?? null) === null || isOf(kinds, value)) return [];
    return [`${name} must be ${kinds.map((kind) => KINDS[kind]).join(' or ')}`];
  });
}

/** Logs a warning for each wrong prop of a component. */
export function usePropWarnings<Props extends object>(component: string, props: Props, table: PropTable<Props>): void {
  const warnings = useRef(new Set<string>());
  useEffect(() => {
    for (const mistake of propMistakes(props, table)) {
      if (!warnings.current.has(mistake)) log.warn(`<${component}>: ${mistake}.`);
      warnings.current.add(mistake);
    }
  });
}
