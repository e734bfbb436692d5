/**
 * The script of the page that the reference client loads into a hidden frame: it parses telephone numbers and starts One Tap. The page
 * around the frame posts `{ method, args: [fields] }` with a port, and receives `{ success, payload }` or `{ success, error }` at that
 * port. The script is served as the source text of its function, so the function must not use anything outside of it.
 */

/** The settings in the attribute `data-settings` of the page. */
export interface ServicesSettings {
  /** The registered origins. Messages from other origins get no answer. */
  readonly origins: readonly string[];
  /** A regular expression for additional registered host names, or null. */
  readonly hosts: string | null;
  /** Whether the project requires PKCE for social logins. The reference client's One Tap does not use it. */
  readonly pkce: boolean;
}

/** The functions that are used from the telephone tables' script. */
interface PhoneTables {
  readonly libphonenumber: {
    parsePhoneNumberFromString(text: string, country?: string): ParsedNumber | undefined;
    getExampleNumber(country: string, examples: unknown): ParsedNumber | undefined;
  };
  readonly phoneExamples: unknown;
}

interface ParsedNumber {
  readonly number: string;
  readonly country?: string;
  isValid(): boolean;
  formatNational(): string;
  formatInternational(): string;
}

interface TrustedScripts {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}

type Fields = Readonly<Record<string, unknown>>;

export function clientsideServices(): void {
  const { origins, hosts, pkce } = JSON.parse(document.documentElement.dataset['settings'] ?? '') as ServicesSettings;
  const registeredHosts = hosts === null ? null : new RegExp(hosts, 'u');
  /** The characters of a written number. A text with others is not a number, whatever its length. */
  const numberPattern = /^\+?[\d\s().\-\u2010-\u2015/]{1,40}$/u;
  const tablesUrl = 'phone-numbers.js';
  const { trustedTypes } = window as Window & { readonly trustedTypes?: TrustedScripts };
  const scriptPolicy = trustedTypes?.createPolicy('phone-numbers', { createScriptURL: () => tablesUrl });
  let tables: Promise<PhoneTables> | null = null;

  function isRegistered(origin: string): boolean {
    if (origins.includes(origin)) return true;
    if (registeredHosts === null || !/^https?:/u.test(origin)) return false;
    return registeredHosts.test(new URL(origin).hostname);
  }

  function isRecord(value: unknown): value is Fields {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  }

  /** A text of at most this many characters. For an optional field, a missing value passes as well. */
  function textOf(fields: Fields, name: string, limit: number, fallback?: string): string {
    const value = fields[name] ?? fallback;
    if (typeof value !== 'string') throw new TypeError(`${name} must be a string.`);
    if (value.length > limit) throw new TypeError(`${name} must have at most ${limit} characters.`);
    return value;
  }

  function loadTables(): Promise<PhoneTables> {
    tables ??= new Promise<PhoneTables>((resolve, reject) => {
      const script = document.createElement('script');
      script.addEventListener('load', () => resolve(window as unknown as PhoneTables));
      script.addEventListener('error', () => {
        script.remove();
        tables = null;
        reject(new Error('The telephone tables could not be loaded.'));
      });
      script.src = (scriptPolicy?.createScriptURL(tablesUrl) ?? tablesUrl) as string;
      document.head.append(script);
    });
    return tables;
  }

  async function call(path: string, publicToken: string, fields: Fields): Promise<Fields> {
    if (!/^[!-~]+$/u.test(publicToken)) throw new TypeError('publicToken must be printable ASCII.');
    const reply = await fetch(`../sdk/v1/oauth/google/onetap/${path}`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`${publicToken}:${publicToken}`)}` },
      body: JSON.stringify({ public_token: publicToken, ...fields }),
    });
    const answer = (await reply.json()) as Fields;
    if (reply.ok && isRecord(answer['data'])) return answer['data'];
    throw Object.assign(new Error(String(answer['error_message'])), answer, { name: 'StytchAPIError' });
  }

  /** The given optional fields, by their names on the wire. */
  function redirects(fields: Fields): Fields {
    const names = { login_redirect_url: 'loginRedirectURL', signup_redirect_url: 'signupRedirectURL' };
    return Object.fromEntries(
      Object.entries(names).flatMap(([wire, name]) =>
        (fields[name] ?? '') === '' ? [] : [[wire, textOf(fields, name, 2048)]],
      ),
    );
  }

  const handlers: Readonly<Record<string, (fields: Fields) => Promise<object>>> = {
    async parsedPhoneNumber(fields) {
      const input = textOf(fields, 'phoneNumber', Infinity);
      const region = textOf(fields, 'regionCode', 2, '') || undefined;
      const unchanged = { isValid: false, number: input, national: input };
      // The passcode's screen calls this for every destination, even for email addresses.
      if (!numberPattern.test(input)) return unchanged;
      const { libphonenumber } = await loadTables();
      let phone = libphonenumber.parsePhoneNumberFromString(input, region);
      if (phone?.isValid() !== true && input.startsWith('00')) {
        phone = libphonenumber.parsePhoneNumberFromString(`+${input.slice(2)}`);
      }
      if (phone?.isValid() !== true) return { ...unchanged, number: phone?.number ?? input };
      // The client reads the national form as a number of the chosen country.
      const isForeign = region !== undefined && phone.country !== region;
      const national = isForeign ? phone.formatInternational() : phone.formatNational();
      return { isValid: true, number: phone.number, national };
    },

    async getExamplePhoneNumber(fields) {
      const region = textOf(fields, 'regionCode', 2);
      const { libphonenumber, phoneExamples } = await loadTables();
      return { phoneNumber: libphonenumber.getExampleNumber(region, phoneExamples)?.formatNational() };
    },

    async oneTapStart(fields) {
      const publicToken = textOf(fields, 'publicToken', 256);
      if (pkce) {
        // For this type the client shows Google's plain button.
        const error_type = 'oauth_config_not_found';
        const error_message =
          'This client’s One Tap sends no code_challenge, so it needs pkce_required_for_oauth: false.';
        console.warn(error_message);
        const details = { name: 'StytchAPIError', status_code: 404, error_type, error_message, error_url: '' };
        throw Object.assign(new Error(error_message), details);
      }
      const { google_client_id, oauth_callback_id } = await call('start', publicToken, {});
      return {
        requestId: '',
        googleClientId: google_client_id,
        stytchCsrfToken: '',
        oauthCallbackId: oauth_callback_id,
      };
    },

    async oneTapSubmit(fields) {
      const { redirect_url } = await call('submit', textOf(fields, 'publicToken', 256), {
        id_token: textOf(fields, 'idToken', 16_384),
        oauth_callback_id: textOf(fields, 'oauthCallbackID', 256),
        ...redirects(fields),
      });
      return { redirect_url };
    },
  };

  /** The fields of an error that may leave the frame. The client turns them into its own error. */
  function serializeError(error: unknown): object {
    const { name, message, status_code, request_id, error_type, error_message, error_url } = error as Fields;
    return { name, message, status_code, request_id, error_type, error_message, error_url };
  }

  async function answer(data: unknown): Promise<object> {
    try {
      const { method, args } = isRecord(data) ? data : {};
      const fields: unknown = Array.isArray(args) ? args[0] : undefined;
      const isKnown = typeof method === 'string' && Object.hasOwn(handlers, method);
      if (!isKnown || !isRecord(fields)) throw new TypeError('The message is no call of this page.');
      return { success: true, payload: await handlers[method]?.(fields) };
    } catch (error) {
      return { success: false, error: serializeError(error) };
    }
  }

  addEventListener('message', (event: MessageEvent<unknown>) => {
    const [port] = event.ports;
    if (port === undefined || window.parent === window || event.source !== window.parent) return;
    if (!isRegistered(event.origin)) return;
    void answer(event.data).then((reply) => port.postMessage(reply));
  });
}

export const servicesScript = `(${clientsideServices.toString()})();\n`;
