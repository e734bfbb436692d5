'use client';
import { PorticoUIClient } from 'portico';
import { PorticoProvider, type InitialState } from 'portico/react';
import { useState, type ReactNode } from 'react';
import { API_URL, PUBLIC_TOKEN } from '../lib/settings.ts';

/** The client runs in browsers alone. */
const makeClient = (): PorticoUIClient | null =>
  typeof window === 'undefined'
    ? null
    : new PorticoUIClient(PUBLIC_TOKEN, { endpointOptions: { testApiDomain: API_URL } });

export function Providers(props: { readonly initial: InitialState | null; readonly children: ReactNode }) {
  const [client] = useState(makeClient);
  return (
    <PorticoProvider client={client} initial={props.initial}>
      {props.children}
    </PorticoProvider>
  );
}
