//! What commands and the words in the names of tools say of deeds, as data.

use super::Deed;

pub(super) const COMMIT: u32 = Deed::Commit.bit();
pub(super) const PUSH: u32 = Deed::Push.bit();
pub(super) const MERGE: u32 = Deed::Merge.bit();
pub(super) const REQUEST: u32 = Deed::Request.bit();
pub(super) const TICKET: u32 = Deed::Ticket.bit();
pub(super) const DEPLOY: u32 = Deed::Deploy.bit();
pub(super) const RELEASE: u32 = Deed::Release.bit();
pub(super) const UPLOAD: u32 = Deed::Upload.bit();
pub(super) const BOOK: u32 = Deed::Book.bit();
pub(super) const ORDER: u32 = Deed::Order.bit();
pub(super) const REFUND: u32 = Deed::Refund.bit();
pub(super) const TRANSFER: u32 = Deed::Transfer.bit();
pub(super) const SCHEDULE: u32 = Deed::Schedule.bit();
pub(super) const MOVE: u32 = Deed::Reschedule.bit();
pub(super) const CANCEL: u32 = Deed::Cancel.bit();
pub(super) const ARCHIVE: u32 = Deed::Archive.bit();
pub(super) const POST: u32 = Deed::Post.bit();
pub(super) const CHANGE: u32 = Deed::Change.bit();
pub(super) const ALL: u32 = (1 << Deed::ALL.len()) - 1;

/// What a service keeps may as well be kept in a file.
pub(super) const KEPT: u32 = BOOK | ORDER | REFUND | TRANSFER | SCHEDULE | MOVE | CANCEL | ARCHIVE | CHANGE | TICKET;

/// A command's deeds: done, possible besides, patterns as in the table of programs.
#[rustfmt::skip]
pub(super) const COMMANDS: &[(u32, u32, &[&str])] = &[
    (COMMIT, MERGE, &["git commit", "hg commit", "jj commit", "git revert", "git cherry-pick", "git am"]),
    (COMMIT | PUSH, 0, &["svn commit"]),
    (0, COMMIT | CHANGE | RELEASE, &["npm version", "pnpm version", "yarn version"]),
    (MERGE | COMMIT, 0, &["git merge", "git pull", "hg merge"]),
    (0, COMMIT | MERGE, &["git rebase"]),
    (0, MERGE, &["git reset"]),
    (0, CHANGE | RELEASE, &["git tag", "git notes"]),
    (PUSH, DEPLOY | RELEASE | UPLOAD | REQUEST | MERGE, &["git push", "git lfs push", "hg push", "jj git push"]),
    (PUSH | UPLOAD, RELEASE | DEPLOY, &["docker push", "docker compose push", "podman push", "helm push", "dvc push"]),
    (REQUEST, PUSH, &["gh pr create", "glab mr create", "hub pull-request", "git request-pull"]),
    (MERGE, COMMIT | PUSH | DEPLOY | CHANGE, &["gh pr merge", "glab mr merge"]),
    (TICKET, CHANGE, &["gh issue create", "glab issue create"]),
    (POST, CHANGE, &["gh pr comment", "gh issue comment", "gh pr review"]),
    (0, CHANGE | REQUEST | TICKET | CANCEL, &["gh pr edit", "gh pr close", "gh pr ready", "gh issue edit", "gh issue close"]),
    (RELEASE, UPLOAD | DEPLOY | PUSH, &[
        "cargo publish", "npm publish", "pnpm publish", "yarn publish", "yarn npm publish", "twine upload",
        "uv publish", "poetry publish", "flit publish", "hatch publish", "gem push", "gh release create",
    ]),
    (UPLOAD, RELEASE, &["gh release upload"]),
    (DEPLOY, CHANGE | RELEASE, &[
        "kubectl apply", "kubectl create", "kubectl set", "kubectl scale", "kubectl patch",
        "kubectl replace", "helm install", "helm upgrade", "helm rollback", "terraform apply", "tofu apply",
        "pulumi up", "fly deploy", "flyctl deploy", "vercel", "netlify deploy", "firebase deploy", "wrangler deploy",
        "serverless deploy", "sls deploy", "cdk deploy", "eb deploy", "railway up", "surge", "cap", "kamal",
        "gcloud app deploy", "gcloud run deploy", "make deploy*", "just deploy*", "npm run deploy*", "task deploy*",
    ]),
    (DEPLOY, CHANGE | RELEASE | CANCEL, &["kubectl rollout"]),
    (0, DEPLOY | CHANGE | RELEASE, &[
        "kubectl rollout history", "kubectl rollout status", "vercel build", "vercel dev", "vercel env",
        "vercel inspect", "vercel link", "vercel list", "vercel login", "vercel logs", "vercel ls", "vercel pull",
        "vercel whoami", "netlify deploy --build-only", "fly deploy --build-only",
    ]),
    (UPLOAD, DEPLOY | PUSH, &["aws s3 cp", "aws s3 sync", "aws s3 mv", "gsutil cp", "scp", "sftp", "rsync", "s3cmd", "rclone"]),
    (0, UPLOAD | ARCHIVE | KEPT, &["cp", "mv", "copy-item", "move-item", "robocopy"]),
    (ARCHIVE, KEPT, &["tar", "zip", "7z", "gzip", "xz", "zstd"]),
    (0, SCHEDULE | KEPT, &["crontab", "at", "schtasks"]),
    (0, DEPLOY | CHANGE | CANCEL | SCHEDULE, &["systemctl", "service", "launchctl", "docker start", "docker restart", "docker stop"]),
];

/// Programs that speak to any service, by what they are sent.
pub(super) const SENDERS: &[&str] = &["curl", "gh", "glab", "hub", "http", "https", "wget", "xh"];

/// Deeds that words in a tool's name speak of.
#[rustfmt::skip]
pub(super) const NAMED: &[(u32, u32, &[&str])] = &[
    (COMMIT, 0, &["commit", "commits"]),
    (PUSH, COMMIT | UPLOAD | RELEASE | DEPLOY, &["push"]),
    (MERGE, COMMIT | CHANGE | DEPLOY | PUSH, &["merge"]),
    (DEPLOY, RELEASE, &["deploy", "deployment", "redeploy", "rollout", "promote", "launch"]),
    (RELEASE, DEPLOY | UPLOAD | POST, &["publish", "release"]),
    (UPLOAD, RELEASE | CHANGE, &["upload", "attach", "attachment", "attachments"]),
    (BOOK, ORDER | SCHEDULE, &["book", "reserve", "booking", "reservation"]),
    (BOOK, ORDER | SCHEDULE | MOVE | CHANGE | REFUND | TRANSFER, &["rebook"]),
    (ORDER, TRANSFER | BOOK, &["buy", "purchase", "checkout"]),
    (REFUND, TRANSFER | CANCEL, &["refund", "reimburse", "reimbursement"]),
    (TRANSFER, ORDER, &["transfer", "pay", "payment", "wire", "payout", "remit"]),
    (SCHEDULE, MOVE | CHANGE, &["schedule"]),
    (MOVE, SCHEDULE | CHANGE, &["reschedule", "postpone"]),
    (CANCEL, REFUND | CHANGE, &["cancel", "unsubscribe", "cancellation", "void"]),
    (ARCHIVE, CHANGE, &["archive"]),
    (POST, KEPT | UPLOAD | RELEASE, &["post", "comment", "reply", "tweet", "send", "react", "reaction", "message"]),
];

/// What nouns in a tool's name leave open: who handles orders opens no pull request.
#[rustfmt::skip]
pub(super) const FIELDS: &[(u32, &[&str])] = &[
    (COMMIT | PUSH | MERGE | REQUEST | CHANGE | RELEASE | UPLOAD | ARCHIVE | TICKET | POST | DEPLOY, &[
        "branch", "branches", "git", "github", "gitlab", "mr", "pr", "pull", "repo", "repository",
    ]),
    (KEPT | POST, &[
        "bug", "card", "case", "incident", "issue", "issues", "jira", "linear", "task", "tasks", "ticket", "tickets",
        "todo", "todos",
    ]),
    (SCHEDULE | MOVE | CANCEL | BOOK | CHANGE | ARCHIVE | POST, &[
        "appointment", "calendar", "event", "events", "meeting", "reminder", "slot",
    ]),
    (REFUND | TRANSFER | ORDER | CANCEL | CHANGE | BOOK, &[
        "balance", "charge", "credit", "invoice", "money", "payment", "payments", "payout", "refund", "refunds",
        "transfer", "transfers", "wallet",
    ]),
    (KEPT | POST | UPLOAD, &[
        "channel", "chat", "comment", "comments", "email", "mail", "message", "messages", "reaction", "slack", "sms",
        "tweet",
    ]),
    (ORDER | BOOK | REFUND | CANCEL | MOVE | SCHEDULE | CHANGE | TRANSFER, &[
        "booking", "cart", "flight", "hotel", "item", "items", "order", "orders", "product", "reservation", "room",
        "seat", "subscription",
    ]),
    (KEPT | UPLOAD | RELEASE | POST | MERGE, &[
        "contact", "contacts", "list", "memory", "note", "notes", "page", "preference", "preferences", "profile",
        "record", "records", "setting", "settings", "sheet",
    ]),
    (CHANGE | ARCHIVE, &["address", "addresses", "password", "phone", "playlist"]),
];

/// Verbs that begin something and end nothing, and the other way round.
#[rustfmt::skip]
pub(super) const BEGINNING: &[&str] = &["add", "buy", "create", "insert", "new", "open", "place", "reserve", "save", "store"];
#[rustfmt::skip]
pub(super) const ENDING: &[&str] = &["cancel", "clear", "close", "delete", "disable", "dismiss", "remove", "void"];
#[rustfmt::skip]
pub(super) const TURNING: &[&str] = &["change", "edit", "exchange", "manage", "modify", "move", "or", "patch", "set", "sync", "update", "upsert"];

/// Words for running something, which may be anything.
#[rustfmt::skip]
pub(super) const RUNNING: &[&str] = &[
    "agent", "api", "apply", "batch", "call", "do", "exec", "execute", "handle", "invoke", "job", "perform",
    "pipeline", "process", "request", "run", "script", "start", "tool", "trigger", "workflow",
];
