'use client';
import type { ReactNode } from 'react';
import { createStytchClient, StytchProvider } from 'portico/compat';

const PUBLIC_TOKEN =
  process.env['NEXT_PUBLIC_PORTICO_PUBLIC_TOKEN'] ?? 'public-token-test-d1e70000-0000-4000-8000-000000000000';
const API_URL = process.env['NEXT_PUBLIC_PORTICO_API_URL'] ?? 'http://localhost:4100';

/** One for the page, which runs in browsers alone. */
const stytch = createStytchClient(PUBLIC_TOKEN, { endpointOptions: { testApiDomain: API_URL } });

export function Providers({ children }: { readonly children: ReactNode }) {
  return <StytchProvider stytch={stytch}>{children}</StytchProvider>;
}
