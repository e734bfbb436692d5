import { expect, it } from 'vitest';
import { nameHere } from '../../src/cli/operate.ts';

it('an operator in a container whose number no user has is named by the number', () => {
  const unknown = (): never => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT');
  };
  expect(nameHere(unknown)).toBe(`uid ${process.getuid?.()}`);
  expect(nameHere(() => ({ username: 'grace' }))).toBe('grace');
});
