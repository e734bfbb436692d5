import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import { BROWSER_ARGS } from '#scripts/lib/browsers.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { expect, test } from '../e2e/fixtures.ts';
import { copyExamples, runCommand } from './kit/example.ts';

/** As npm installs `portico-provider`, with its command. */
function installProvider(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(join(ROOT, 'provider'), join(modules, 'portico-provider'));
  chmodSync(join(ROOT, 'provider/dist/main.js'), 0o755);
  symlinkSync('../portico-provider/dist/main.js', join(modules, '.bin/portico-provider'));
}

test('the example playwright starts a provider and an app, and its tests pass', { tag: '@soak' }, async () => {
  const { folder: parent, remove } = await copyExamples('playwright', 'plain');
  const folder = join(parent, 'playwright');
  try {
    installProvider(folder);
    // The browser of this machine, in place of the one that `playwright install` fetches.
    const { launchOptions } = test.info().project.use;
    const browser = JSON.stringify({ ...launchOptions, args: BROWSER_ARGS });
    writeFileSync(
      join(folder, 'this-machine.config.ts'),
      `import config from './playwright.config.ts';\nexport default { ...config, use: { ...config.use, launchOptions: ${browser} } };\n`,
    );
    const output = await runCommand(folder, ['playwright/cli.js', 'test', '--config', 'this-machine.config.ts'], {
      PORT: String(await getPort()),
      PROVIDER_PORT: String(await getPort()),
    });
    expect(output).toContain('5 passed');
  } finally {
    remove();
  }
});
