/** The local provider's own project, unless the environment names another. The browser needs the first two, too. */
export const API_URL = process.env['NEXT_PUBLIC_PORTICO_API_URL'] ?? 'http://localhost:4100';
export const PUBLIC_TOKEN =
  process.env['NEXT_PUBLIC_PORTICO_PUBLIC_TOKEN'] ?? 'public-token-test-d1e70000-0000-4000-8000-000000000000';
export const PROJECT_ID = process.env['PORTICO_PROJECT_ID'] ?? 'project-test-d1e70000-0000-4000-8000-000000000000';
