/** The widget of the page: what it is for, its products by the names of the client, and the rest of its configuration. */
export interface WidgetOptions {
  readonly kind: 'login' | 'reset' | 'passkeys' | 'consent';
  readonly products: readonly string[];
  readonly config: object;
}

const PASSCODES: WidgetOptions = {
  kind: 'login',
  products: ['otp'],
  config: { otpOptions: { methods: ['email'], expirationMinutes: 5 } },
};
const KEY = 'widget-options';

/** The query parameter `widget` of the page's address; the tab keeps it while a login leaves the page and comes back. */
export function widgetOptions(): WidgetOptions {
  const given = new URLSearchParams(location.search).get('widget');
  if (given !== null) sessionStorage.setItem(KEY, given);
  return { ...PASSCODES, ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<WidgetOptions>) };
}

/** The configuration for the client, whose version decides what a product is. */
export function configWith(known: Readonly<Record<string, unknown>>): never {
  const { products, config } = widgetOptions();
  return { ...config, products: products.map((name) => known[name]) } as never;
}

/** What the widget told its page. */
export const told: unknown[] = [];
export const callbacks = {
  onEvent: (event: unknown) => told.push(event),
  onError: (error: unknown) => told.push({ error: String(error) }),
};

export const tokenOfPage = (): string => new URLSearchParams(location.search).get('token') ?? '';
