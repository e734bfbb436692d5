import { StytchHeadlessClient } from 'vendor-client-v5/headless';
import { clientOptions, expose, publicToken } from './expose.ts';

expose(new StytchHeadlessClient(publicToken, clientOptions));
