import { cleanup } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Destination } from '#domain/consent/destination.ts';
import { showState } from './show.tsx';

afterEach(cleanup);

it.each<[string, Destination | undefined, string | undefined]>([
  ['a site', { host: 'planner.example', onDevice: false }, 'You will go on to planner.example.'],
  ['a port of this device', { host: null, onDevice: true }, 'You will go on to an app on this device.'],
  [
    'a private scheme',
    { host: null, onDevice: true, scheme: 'com.example.app:' },
    'You will go on to an app on this device that opens com.example.app: links.',
  ],
  ['an address that is neither', { host: null, onDevice: false }, undefined],
  ['this page', undefined, undefined],
])('The logout page says that it leads to %s', (_, destination, text) => {
  const consent = {
    status: 'confirmLogout',
    account: 'ada@example.com',
    ...(destination === undefined ? {} : { destination }),
  } as const;
  const { container } = showState({ screen: { name: 'IDPConsent' }, consent });
  expect(container.querySelector('[data-part=host]')?.textContent).toBe(text);
});
