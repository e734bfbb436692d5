import type { FakeClient } from '#kit/fake-server.ts';

/** What the project of every flow allows, and to whom. */

export const POLICY = {
  roles: [
    { role_id: 'admin', description: '', permissions: [{ resource_id: 'documents', actions: ['*'] }] },
    { role_id: 'viewer', description: '', permissions: [{ resource_id: 'documents', actions: ['read'] }] },
  ],
  resources: [{ resource_id: 'documents', description: '', actions: ['read', 'write'] }],
  scopes: [
    {
      scope: 'write:documents',
      description: 'Change your documents',
      permissions: [{ resource_id: 'documents', actions: ['write'] }],
    },
  ],
};

/** An app of somebody else. */
export const PLANNER: FakeClient = {
  client_id: 'connected-app-test-planner',
  client_type: 'public',
  name: 'Planner',
  description: 'Plans your week.',
  logo_url: null,
  redirect_uris: ['http://localhost:3001/callback', 'http://localhost:3001/callback?state=registered'],
  post_logout_redirect_uris: ['http://localhost:3001/'],
  scopes: ['openid', 'profile', 'email', 'phone', 'full_access', 'write:documents'],
  first_party: false,
  device_authorization_allowed: true,
};

/** An app of the project's own makers. */
export const DASHBOARD: FakeClient = {
  ...PLANNER,
  client_id: 'connected-app-test-dashboard',
  name: 'Dashboard',
  description: '',
  redirect_uris: ['http://localhost:3002/callback'],
  scopes: ['openid', 'full_access'],
  first_party: true,
  device_authorization_allowed: false,
};

/** What a login must prove in the flows of two factors. */
export const twoFactors = (asked: boolean | 'required') => ({
  policy: asked === 'required' ? ('required' as const) : ('when_enrolled' as const),
  factors: ['totp', 'webauthn', 'sms', 'recovery_code'] as const,
  trusted_devices: { days: 30 },
  show_recovery_codes_again: false,
  recovery_hours: 24,
});

export const ROLES = [
  { value: 'Developer', label: 'Developer' },
  { value: 'designer', label: { en: 'Designer', de: 'Gestaltung' } },
];

/** What users are asked for in the flows of a profile. */
export const ASKED_PROFILE = {
  fields: [
    { field: 'first_name', label: null, required: true, options: null },
    { field: 'company', label: { en: 'Company', de: 'Firma' }, required: true, options: null },
    { field: 'role', label: 'Role', required: false, options: ROLES },
  ],
  terms: [{ terms_id: 'tos', version: '2', title: 'Terms of Service', url: 'https://acme.example/terms' }],
  url: 'http://localhost:3000/login',
};

/** The trusted-auth-token profile that the suites use. */
export const PROFILE = 'trusted-auth-token-profile-test-flows';
