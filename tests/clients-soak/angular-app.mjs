// The packages are compiled for a linker, or for this compiler in the browser.
import '@angular/compiler';
import { provideHttpClient } from '@angular/common/http';
import { Component, inject } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { provideRouter } from '@angular/router';
import { LogLevel, OidcSecurityService, provideAuth } from 'angular-auth-oidc-client';
import { firstValueFrom } from 'rxjs';

/** A page with a login. The test calls what is at `window.app`; the settings are in the query at the first visit, then in the tab. */
const given = new URLSearchParams(location.search).get('authority');
if (given !== null) sessionStorage.setItem('authority', given);
const config = {
  authority: sessionStorage.getItem('authority'),
  redirectUrl: `${location.origin}/`,
  postLogoutRedirectUri: `${location.origin}/`,
  clientId: 'angular',
  scope: 'openid profile email offline_access',
  responseType: 'code',
  silentRenew: true,
  useRefreshToken: true,
  logLevel: LogLevel.Warn,
};

// oxlint-disable-next-line typescript/no-extraneous-class -- a component of Angular is a class
class App {
  constructor() {
    const login = inject(OidcSecurityService);
    const checked = firstValueFrom(login.checkAuth());
    window.app = {
      checked: () => checked,
      authorize: () => login.authorize(),
      refresh: () => firstValueFrom(login.forceRefreshSession()),
      leave: () => firstValueFrom(login.logoffAndRevokeTokens()),
    };
  }
}
Component({ selector: 'app-root', template: '' })(App);
await bootstrapApplication(App, { providers: [provideHttpClient(), provideRouter([]), provideAuth({ config })] });
