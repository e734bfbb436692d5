import type { MessageTexts } from '../message-texts.ts';

/** Chinese: simplified characters, with a space between Chinese and Latin words. */
export const zh: MessageTexts = {
  passcode: {
    subject: '{code} 是你的 {project} 验证码',
    lead: '你的 {project} 验证码是 {code}。',
    intro: {
      login_passcode: '请输入此验证码以登录 {project}。',
      signup_passcode: '请输入此验证码以注册 {project}。',
      confirm_passcode: '请输入此验证码，将此地址添加到你的 {project} 账号。',
    },
    short: '你的 {project} 验证码是 {code}。',
    warning: '请勿将此验证码告诉任何人。',
  },
  links: {
    login_link: {
      subject: '你的 {project} 登录链接',
      lead: '请打开此链接登录 {project}：',
      heading: '登录 {project}',
      intro: '请点击按钮登录。',
      button: '登录',
    },
    signup_link: {
      subject: '你的 {project} 注册链接',
      lead: '请打开此链接注册 {project}：',
      heading: '注册 {project}',
      intro: '请点击按钮创建账号。',
      button: '注册',
    },
    invite_link: {
      subject: '你已获邀加入 {project}',
      lead: '请打开此链接接受 {project} 的邀请：',
      heading: '你已获邀加入 {project}',
      intro: '请点击按钮接受邀请。',
      button: '接受邀请',
    },
    confirm_link: {
      subject: '请为 {project} 确认你的电子邮件地址',
      lead: '请打开此链接，将此地址添加到你的 {project} 账号：',
      heading: '确认电子邮件地址',
      intro: '请点击按钮，将此地址添加到你的 {project} 账号。',
      button: '确认地址',
    },
    reset_password: {
      subject: '为 {project} 设置新密码',
      lead: '请打开此链接，为 {project} 设置新密码（有效期：{duration}）：',
      heading: '设置新密码',
      intro: '请点击按钮，为 {project} 设置新密码。',
      button: '设置新密码',
    },
  },
  refusal: {
    subject: '{project} 没有使用此邮箱地址的账号',
    heading: '没有使用此邮箱地址的账号',
    intro: '有人（可能是你本人）想用此邮箱地址登录 {project}。没有使用此地址的账号，也无法用它创建账号。',
    advice: '如果你已有账号，请用该账号的邮箱地址登录。否则，请向 {project} 申请邀请。',
  },
  instead: {
    lead: '也可以不使用密码登录（有效期：{duration}）：',
    label: '不使用密码登录',
    validity: '每个链接只能使用一次。',
  },
  validity: '只能使用一次，有效期：{duration}。',
  ignore: '如果这不是你的请求，请忽略此消息。',
  ignoreReset: '如果这不是你的请求，请忽略此消息。你的密码没有更改。',
  ignoreInvitation: '如果你没有在等待此邀请，请忽略此消息。',
  requestNote: '请求时间：{time}，设备：{device}。',
  askedAt: '请求时间：{time}。',
  copyLink: '如果按钮无法使用，请将此地址复制到浏览器中：',
};
