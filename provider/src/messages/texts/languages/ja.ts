import type { MessageTexts } from '../message-texts.ts';

/** Japanese: polite (です・ます). */
export const ja: MessageTexts = {
  passcode: {
    subject: '{code} は {project} の認証コードです',
    lead: '{project} の認証コードは {code} です。',
    intro: {
      login_passcode: '{project} にログインするには、このコードを入力してください。',
      signup_passcode: '{project} に登録するには、このコードを入力してください。',
      confirm_passcode: 'このメールアドレスを {project} のアカウントに追加するには、このコードを入力してください。',
    },
    short: '{project} の認証コードは {code} です。',
    warning: 'このコードは誰にも教えないでください。',
  },
  links: {
    login_link: {
      subject: '{project} のログインリンク',
      lead: '{project} にログインするには、次のリンクを開いてください：',
      heading: '{project} にログイン',
      intro: 'ログインするには、ボタンを押してください。',
      button: 'ログイン',
    },
    signup_link: {
      subject: '{project} の登録用リンク',
      lead: '{project} に登録するには、次のリンクを開いてください：',
      heading: '{project} に新規登録',
      intro: 'アカウントを作成するには、ボタンを押してください。',
      button: '新規登録',
    },
    invite_link: {
      subject: '{project} への招待が届いています',
      lead: '{project} への招待を承諾するには、次のリンクを開いてください：',
      heading: '{project} への招待が届いています',
      intro: '招待を承諾するには、ボタンを押してください。',
      button: '招待を承諾',
    },
    confirm_link: {
      subject: '{project} のメールアドレスの確認',
      lead: 'このメールアドレスを {project} のアカウントに追加するには、次のリンクを開いてください：',
      heading: 'メールアドレスの確認',
      intro: 'このメールアドレスを {project} のアカウントに追加するには、ボタンを押してください。',
      button: 'メールアドレスを確認',
    },
    reset_password: {
      subject: '{project} の新しいパスワードの設定',
      lead: '{project} の新しいパスワードを設定するには、次のリンクを開いてください（有効期間：{duration}）：',
      heading: '新しいパスワードの設定',
      intro: '{project} の新しいパスワードを設定するには、ボタンを押してください。',
      button: '新しいパスワードを設定',
    },
  },
  refusal: {
    subject: 'このアドレスの {project} アカウントはありません',
    heading: 'このアドレスのアカウントはありません',
    intro:
      'どなたか（ご本人かもしれません）が、このアドレスで {project} にログインしようとしました。このアドレスのアカウントはなく、新しく作成することもできません。',
    advice:
      'アカウントをお持ちの場合は、そのアドレスでログインしてください。お持ちでない場合は、{project} に招待を依頼してください。',
  },
  instead: {
    lead: 'パスワードなしでログインすることもできます（有効期間：{duration}）：',
    label: 'パスワードなしでログイン',
    validity: '各リンクは一度だけ使用できます。',
  },
  validity: '一度だけ使用できます。有効期間：{duration}。',
  ignore: 'お心当たりがない場合は、このメッセージを無視してください。',
  ignoreReset: 'お心当たりがない場合は、このメッセージを無視してください。パスワードは変更されていません。',
  ignoreInvitation: '招待にお心当たりがない場合は、このメッセージを無視してください。',
  requestNote: 'リクエスト：{time}、{device}',
  askedAt: 'リクエスト：{time}',
  copyLink: 'ボタンが機能しない場合は、次のアドレスをブラウザにコピーしてください：',
};
