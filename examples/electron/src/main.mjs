/** The main process: it holds the tokens, and opens the system's browser. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { app, BrowserWindow, ipcMain, safeStorage, shell } from 'electron';
import { Account } from './account.mjs';

const WINDOW = fileURLToPath(new URL('./window.html', import.meta.url));
const PRELOAD = fileURLToPath(new URL('./preload.cjs', import.meta.url));

await app.whenReady();

const file = join(app.getPath('userData'), 'refresh-token');
const account = new Account({
  issuer: process.env['PORTICO_API_URL'] ?? 'http://localhost:4100',
  clientId: process.env['PORTICO_CLIENT_ID'] ?? '',
  openBrowser: (url) => shell.openExternal(url),
  // Encrypted with a key that the system keeps for this app.
  store: {
    read: async () => {
      const bytes = await readFile(file).catch(() => null);
      return bytes === null ? null : safeStorage.decryptString(bytes);
    },
    write: async (token) => {
      if (token === null) await rm(file, { force: true });
      else await writeFile(file, safeStorage.encryptString(token), { mode: 0o600 });
    },
  },
});

const window = new BrowserWindow({
  webPreferences: { preload: PRELOAD, contextIsolation: true, sandbox: true, nodeIntegration: false },
});
window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
window.webContents.on('will-navigate', (event) => event.preventDefault());

/** What the window's page may call; no token is among the answers. */
const calls = {
  email: () => account.email(),
  signIn: async () => {
    await account.signIn();
    window.focus();
  },
  signOut: () => account.signOut(),
};
for (const [name, call] of Object.entries(calls)) {
  ipcMain.handle(name, (event) => {
    if (event.senderFrame?.url !== pathToFileURL(WINDOW).href)
      throw new Error('This call is for the window of the app.');
    return call();
  });
}

app.on('window-all-closed', () => app.quit());
await window.loadFile(WINDOW);
