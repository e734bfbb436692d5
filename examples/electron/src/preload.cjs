const { contextBridge, ipcRenderer } = require('electron');

contextBridge.exposeInMainWorld('account', {
  email: () => ipcRenderer.invoke('email'),
  signIn: () => ipcRenderer.invoke('signIn'),
  signOut: () => ipcRenderer.invoke('signOut'),
});
