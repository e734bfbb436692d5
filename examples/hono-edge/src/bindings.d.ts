/** What the worker's configuration gives it. */
declare module 'cloudflare:workers' {
  export const env: {
    readonly PORTICO_API_URL: string;
    readonly PORTICO_PROJECT_ID: string;
    readonly PORTICO_PUBLIC_TOKEN: string;
  };
}
