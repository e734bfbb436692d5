import { describe, expect, it } from 'vitest';
import { appFromAgent, type AgentRow } from '#provider/project/registry/agent-apps.ts';
import { projectFrom } from '#provider/project/settings/project.ts';

const project = projectFrom({});
const at = new Date(0);
const REDIRECT = 'https://agent.example/callback';

const rowOf = (client_id: string, client_name: string, redirect_uris = [REDIRECT]): AgentRow => ({
  client_id,
  origin: client_id.startsWith('https:') ? 'document' : 'registration',
  metadata: {
    client_name,
    redirect_uris,
    application_type: 'web',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
  },
  secret_hash: null,
  registration_token_hash: null,
  approval: null,
  network_key: null,
  created_at: at,
  changed_at: at,
  read_at: at,
  fresh_until: at,
  expires_at: at,
});
const nameOf = (client_id: string, client_name: string) => appFromAgent(project, rowOf(client_id, client_name)).name;

describe('the name of an agent on a page of consent', () => {
  it.each([
    'bank.example',
    'Bank.Example',
    'Sign in to accounts.bank.example',
    'https://bank.example/login',
    'HTTPS://bank',
    'bank。example',
    'bank．example',
    'bank․example',
    'bänk.example',
    'bank\uFE0F.example',
    'bank.\u034Fexample',
    'bank\uA4F8example',
    'Router 192.0.2.1',
    'bank.example (agent.example)',
    'sub.agent.example',
    'example',
  ])('is the host that vouches for it in place of %j, unless that is no address', (name) => {
    const expected = name === 'example' ? 'example' : 'agent.example';
    expect(nameOf('https://agent.example/client.json', name)).toBe(expected);
    expect(nameOf('agent-1', name)).toBe(expected);
  });

  it.each(['Helper', 'Helper 2.0', 'Dr. Notes', 'A v1.2.3 tool', 'Notes & more…', '.NET client'])(
    'is its own if it has no address: %j',
    (name) => {
      expect(nameOf('https://agent.example/client.json', name)).toBe(name);
      expect(nameOf('agent-1', name)).toBe(name);
    },
  );

  it('is no host of a registration to which only some of its answers go', () => {
    const uris = ['https://bank.example/callback', REDIRECT];
    expect(appFromAgent(project, rowOf('agent-1', 'bank.example', uris)).name).toBe('agent-1');
    expect(appFromAgent(project, rowOf('agent-1', 'bank.example', [REDIRECT, `${REDIRECT}/2`])).name).toBe(
      'agent.example',
    );
  });

  it('may have the host of its document, which a registration does not have', () => {
    expect(nameOf('https://agent.example/client.json', 'Agent.example')).toBe('Agent.example');
    expect(nameOf('https://agent.example:8443/client.json', 'The agent.example helper')).toBe(
      'The agent.example helper',
    );
    expect(nameOf('https://evil.example/client.json', 'Agent.example')).toBe('evil.example');
    expect(nameOf('agent-1', 'Agent.example')).toBe('agent.example');
  });
});
