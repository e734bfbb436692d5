import { defineConfig } from '@playwright/test';
import { providerServer, type PorticoOptions } from 'portico/testing/playwright';

const APP_PORT = Number(process.env['PORT'] ?? 8080);
const PROVIDER_PORT = Number(process.env['PROVIDER_PORT'] ?? 4100);
const apiUrl = `http://localhost:${PROVIDER_PORT}`;

export default defineConfig<PorticoOptions>({
  testDir: './tests',
  fullyParallel: true,
  use: { baseURL: `http://localhost:${APP_PORT}`, portico: { apiUrl } },
  webServer: [
    providerServer({ port: PROVIDER_PORT }),
    {
      command: 'npm start',
      url: `http://localhost:${APP_PORT}`,
      env: { PORT: String(APP_PORT), PORTICO_API_URL: apiUrl },
    },
  ],
});
