import type { BackendRoutes } from '../backend/mount-backend.ts';

export const cryptoWallets: BackendRoutes['cryptoWallets'] = {};
