import { describe, expect, it, vi } from 'vitest';
import { createVerifier } from '#composition/server.ts';
import { createNextAuth, type NextAuthOptions } from '#composition/server/next.ts';
import { allMistakesHaveMessages, eachMistakeHasAMessage, mistakesOf, type Rows, type Surface } from './option-rows.ts';

vi.mock('next/headers.js', () => ({}));
vi.mock('next/server.js', () => ({}));

const verifier = createVerifier({ projectId: 'project-test-x', apiUrl: 'https://api.example.com' });

const NEXT: Rows<NextAuthOptions> = {
  signInPath: { wrongType: [7, '', null, [], 'login', 'https://app.example.com/login', '//app.example.com'] },
};
const surface: Surface = {
  good: {},
  messagesOf: (options) => mistakesOf(() => createNextAuth(verifier, options)),
};
eachMistakeHasAMessage('createNextAuth', NEXT, surface);
allMistakesHaveMessages('createNextAuth', NEXT, surface);

describe('createNextAuth', () => {
  it.each([undefined, null, {}])('tells that the verifier is %j, beside the other mistakes', (given) => {
    expect(mistakesOf(() => createNextAuth(given as never, { signInPath: 'login' }))).toEqual([
      'verifier must be the result of createVerifier({ projectId, apiUrl })',
      'signInPath must be a path of this app, such as /login',
    ]);
  });

  it.each([null, '/login', []])('refuses %j in place of the options', (given) => {
    expect(mistakesOf(() => createNextAuth(verifier, given as never))).toEqual(['options must be an object']);
  });
});
