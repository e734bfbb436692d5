'use client';
import { PorticoUIClient } from 'portico';
import { PorticoProvider, type InitialState } from 'portico/react';
import type { ReactNode } from 'react';
import { API_URL, PUBLIC_TOKEN } from '../lib/settings';

/** One for the page, which runs in browsers alone. */
const client = typeof window === 'undefined' ? null : new PorticoUIClient(PUBLIC_TOKEN, { apiUrl: API_URL });

interface Props {
  readonly initial: InitialState | null | undefined;
  readonly children: ReactNode;
}

export function Providers({ initial, children }: Props) {
  return (
    <PorticoProvider client={client} initial={initial}>
      {children}
    </PorticoProvider>
  );
}
