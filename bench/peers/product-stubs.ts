/** The replies that the login forms of other products need before they show: a project with email and three social logins. */

const SOCIAL = ['google', 'microsoft', 'apple'] as const;

interface Reply {
  readonly type: 'application/json' | 'text/javascript';
  readonly body: string;
}

const json = (value: unknown): Reply => ({ type: 'application/json', body: JSON.stringify(value) });

const input = (name: string, type: string, more: object = {}): object => ({ [name]: { name, type, ...more } });

/** Hanko's flow: the browser's abilities, then the first screen. */
function hanko(path: string): Reply {
  const action = (name: string, inputs: object): object => ({
    [name]: { action: name, href: `/login?action=${name}`, description: '', inputs },
  });
  if (!path.includes('action=')) {
    const inputs = {
      ...input('webauthn_available', 'boolean'),
      ...input('webauthn_conditional_mediation_available', 'boolean'),
      ...input('webauthn_platform_authenticator_available', 'boolean'),
    };
    const actions = action('register_client_capabilities', inputs);
    return json({ name: 'preflight', status: 200, payload: {}, actions, csrf_token: 'bench' });
  }
  const actions = {
    ...action('continue_with_login_identifier', input('email', 'email', { required: true, max_length: 100 })),
    ...action('thirdparty_oauth', {
      ...input('provider', 'string', {
        required: true,
        allowed_values: SOCIAL.map((value) => ({ name: value[0]?.toUpperCase() + value.slice(1), value })),
      }),
      ...input('redirect_to', 'string', { required: true, hidden: true }),
    }),
  };
  return json({ name: 'login_init', status: 200, payload: {}, actions, csrf_token: 'bench' });
}

/** Lock's settings of a client and of a tenant are scripts. */
function auth0(path: string): Reply {
  const names = [
    ...SOCIAL.map((name) => ({ google: 'google-oauth2', microsoft: 'windowslive', apple: 'apple' })[name]),
    'email',
  ];
  const strategies = names.map((name) => ({ name, connections: [{ name }] }));
  const [method, value] = path.includes('/client/')
    ? ['setClient', { id: 'bench', tenant: 'bench', strategies }]
    : ['setTenant', 'bench'];
  return { type: 'text/javascript', body: `Auth0.${method}(${JSON.stringify(value)});` };
}

/** Clerk's environment and the client of a browser that is not signed in. */
function clerk(path: string): Reply {
  if (!path.includes('/environment')) {
    const client = { object: 'client', id: 'client_bench', sessions: [], sign_in: null, sign_up: null };
    return json({ response: { ...client, last_active_session_id: null }, client: null });
  }
  const attribute = (enabled: boolean): object => ({
    enabled,
    required: false,
    used_for_first_factor: enabled,
    first_factors: enabled ? ['email_code'] : [],
    used_for_second_factor: false,
    second_factors: [],
    verifications: enabled ? ['email_code'] : [],
    verify_at_sign_up: enabled,
  });
  const names = ['phone_number', 'username', 'web3_wallet', 'first_name', 'last_name', 'password', 'authenticator_app'];
  const none = ['ticket', 'backup_code', 'passkey', ...names].map((name) => [name, attribute(false)]);
  const social = SOCIAL.map((name) => {
    const strategy = `oauth_${name}`;
    return [strategy, { enabled: true, required: false, authenticatable: true, strategy, not_selectable: false, name }];
  });
  return json({
    object: 'environment',
    id: 'env_bench',
    auth_config: { object: 'auth_config', id: 'aconf_bench', single_session_mode: true },
    display_config: {
      object: 'display_config',
      id: 'display_config_bench',
      application_name: 'Bench',
      branded: true,
      instance_environment_type: 'production',
      preferred_sign_in_strategy: 'otp',
      theme: { buttons: {}, general: {}, accounts: {} },
      show_devmode_warning: false,
    },
    user_settings: {
      attributes: { ...Object.fromEntries(none), email_address: attribute(true) },
      social: Object.fromEntries(social),
      actions: { delete_self: true, create_organization: false },
      sign_in: { second_factor: { required: false } },
      sign_up: { captcha_enabled: false, progressive: true, mode: 'public', legal_consent_enabled: false },
      password_settings: { min_length: 8, max_length: 72 },
      passkey_settings: { allow_autofill: false, show_sign_in_button: false },
      enterprise_sso: { enabled: false },
    },
    organization_settings: { enabled: false },
    maintenance_mode: false,
  });
}

/** The reply of the product whose name begins the path, if any. */
export function productReply(path: string): Reply | undefined {
  switch (path.split('/')[1]) {
    case 'hanko':
      return hanko(path);
    case 'auth0':
      return auth0(path);
    case 'clerk':
      return clerk(path);
    case 'supabase':
      return json({});
    default:
      return undefined;
  }
}
