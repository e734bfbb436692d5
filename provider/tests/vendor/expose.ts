/** What a call of the client came to, as far as it can leave the page. */
export interface Outcome {
  readonly ok: boolean;
  readonly value: unknown;
}

const query = new URLSearchParams(document.currentScript?.dataset['options'] ?? '');

const api = query.get('api') ?? '';

export const publicToken = query.get('token') ?? '';
/** `endpoints` is an option that the client's types do not tell. */
export const clientOptions = {
  endpoints: {
    testAPIURL: api,
    clientsideServicesIframeURL: `${api}/clientside-services/index.html`,
    dfpBackendURL: api,
  },
} as object;

/** Lets the test call the client by the names of its methods, such as `otps.email.loginOrCreate`. */
export function expose(client: object): void {
  const call = async (path: string, args: readonly unknown[]): Promise<Outcome> => {
    const names = path.split('.');
    const name = names.pop() ?? '';
    // oxlint-disable-next-line typescript/no-explicit-any
    const target = names.reduce<any>((area, each) => area[each], client);
    try {
      return { ok: true, value: (await target[name](...args)) ?? null };
    } catch (error) {
      const { message, error_type, status_code } = error as Record<string, unknown>;
      return { ok: false, value: { message, error_type, status_code } };
    }
  };
  Object.assign(window, { callClient: call });
}
