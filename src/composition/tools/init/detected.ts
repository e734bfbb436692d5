import { CommandError } from '../command-error.ts';
import type { App } from './app.ts';
import { FRAMEWORK_NAMES, frameworkOf, type FrameworkName } from './frameworks.ts';

const isOf = (name: FrameworkName, { packages }: App['manifest']): boolean =>
  frameworkOf(name).packages.some((list) => list.every((one) => packages.has(one)));

/** The framework of an app, by its packages. Throws a `CommandError` that names what was looked for if none or several fit. */
export function frameworkIn({ manifest }: App): FrameworkName {
  const found = FRAMEWORK_NAMES.filter((name) => isOf(name, manifest));
  const included = new Set(found.flatMap((name) => frameworkOf(name).includes ?? []));
  const [only, ...others] = found.filter((name) => !included.has(name));
  if (only === undefined) {
    const needed = FRAMEWORK_NAMES.map((name) => {
      const lists = frameworkOf(name).packages.map((list) => list.join(' with '));
      return `  ${name}: ${lists.join(' or ')}`;
    });
    throw new CommandError(`package.json depends on no framework that init knows. It looks for\n${needed.join('\n')}`);
  }
  if (others.length > 0) {
    throw new CommandError(
      `package.json depends on several frameworks: ${[only, ...others].join(', ')}. Choose one with --framework, such as --framework ${only}.`,
    );
  }
  return only;
}
