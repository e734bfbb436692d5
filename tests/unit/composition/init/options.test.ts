import { describe, expect, it } from 'vitest';
import { INIT_HELP, initOptionsFrom, LOCAL } from '#composition/tools/init/init-options.ts';

describe('npx portico init', () => {
  it('takes the project, and the local one by default', () => {
    expect(initOptionsFrom([])).toEqual({
      framework: null,
      project: LOCAL,
      isDryRun: false,
      isQuiet: false,
      replaced: [],
    });
    const project = [
      '--api-url',
      'https://auth.example.com',
      '--public-token',
      'public-token-live-1',
      '--project-id=project-live-2',
    ];
    expect(
      initOptionsFrom([
        ...project,
        '--framework',
        'vue',
        '--yes',
        '--dry-run',
        '--replace',
        './a.ts',
        '--replace',
        'b.ts',
      ]),
    ).toEqual({
      framework: 'vue',
      project: { apiUrl: 'https://auth.example.com', publicToken: 'public-token-live-1', projectId: 'project-live-2' },
      isDryRun: true,
      isQuiet: true,
      replaced: ['a.ts', 'b.ts'],
    });
    expect(initOptionsFrom(['--help'])).toBeNull();
  });

  it.each([
    [['--yess'], 'There is no --yess. Did you mean --yes?'],
    [['--framework', 'veu'], '--framework: there is no veu. Did you mean vue?'],
    [['app'], 'init takes no argument app. It works in the folder in which it runs.'],
    [['--api-url', 'https://auth.example.com/'], '--api-url must be an origin such as https://auth.example.com.'],
    [
      ['--public-token', 'secret-live-1'],
      '--public-token must be the public token of the project, which begins with public-token-.',
    ],
    [['--project-id', 'project-1\nA=b'], '--project-id must be the id of the project, which begins with project-.'],
  ])('names the mistake in %j', (args, message) => {
    expect(() => initOptionsFrom(args)).toThrow(new Error(message));
  });

  it('lists its flags in the help', () => {
    const flags = ['framework', 'api-url', 'public-token', 'project-id', 'dry-run', 'yes', 'replace'];
    for (const flag of flags) expect(INIT_HELP).toContain(`\n  --${flag} `);
  });
});
