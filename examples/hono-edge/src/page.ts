import { PorticoUIClient } from 'portico/standalone';

interface Settings {
  readonly apiUrl: string;
  readonly publicToken: string;
}

const at = (id: string): HTMLElement => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element #${id}.`);
  return element;
};

const { apiUrl, publicToken } = (await (await fetch('/api/settings')).json()) as Settings;
const client = new PorticoUIClient(publicToken, { apiUrl });

let widget: ReturnType<typeof client.mountLogin> | null = null;

function show(user: ReturnType<typeof client.user.getSync>): void {
  at('account').hidden = user === null;
  at('greeting').textContent = user === null ? '' : `Hello, ${user.emails[0]?.email ?? ''}`;
  if (user === null) {
    widget ??= client.mountLogin({
      elementId: '#login',
      config: { products: ['otp'], otpOptions: { methods: ['email'] } },
      styles: { preset: 'modern' },
    });
    return;
  }
  widget?.unmount();
  widget = null;
}

/** The session's cookies go with the request; the worker checks the JWT in them. */
async function reports(): Promise<void> {
  const reply = await fetch('/api/reports');
  const fields = (await reply.json()) as { readonly reports?: readonly string[]; readonly message?: string };
  at('status').textContent = fields.reports?.join(', ') ?? fields.message ?? '';
}

at('reports').addEventListener('click', () => void reports());
at('sign-out').addEventListener('click', () => void client.session.revoke());
client.user.onChange(show);
show(client.user.getSync());
