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

interface Props {
  readonly initial: InitialState | null | undefined;
  readonly children: ReactNode;
}

export function Providers(props: Props) {
  const [client] = useState(makeClient);
  return (
    <PorticoProvider client={client} initial={props.initial}>
      {props.children}
    </PorticoProvider>
  );
}
