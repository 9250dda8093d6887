use super::{Sample, base64, hex, lower, masked, mixed, sample, uuid};

pub(super) fn samples() -> Vec<Sample> {
    let prefixed = |rule, prefix: &str, body: String| {
        let near = format!("{prefix}{}", masked(body.len()));
        sample(rule, format!("use {prefix}{body} here"), near)
    };
    vec![
        sample(
            "npmrc-password",
            format!("//npm.corp.net/:_password={}=", mixed(23)),
            "//npm.corp.net/:_password=${NPM_PASSWORD}",
        ),
        prefixed("github-token", "ghp_", mixed(36)),
        prefixed("github-oauth-token", "gho_", mixed(36)),
        prefixed("github-user-token", "ghu_", mixed(36)),
        prefixed("github-app-token", "ghs_", mixed(36)),
        prefixed("github-refresh-token", "ghr_", mixed(36)),
        prefixed("github-fine-token", "github_pat_", format!("{}_{}", mixed(22), mixed(59))),
        prefixed("gitlab-token", "glpat-", mixed(20)),
        prefixed("gitlab-deploy-token", "gldt-", mixed(20)),
        prefixed("gitlab-runner-token", "glrt-", mixed(20)),
        prefixed("gitlab-job-token", "glcbt-", format!("64_{}", mixed(20))),
        prefixed("gitlab-trigger-token", "glptt-", hex(40)),
        prefixed("gitlab-other-token", "glagent-", mixed(50)),
        prefixed("bitbucket-app-password", "ATBB", mixed(32)),
        prefixed("bitbucket-access-token", "ATCTT3", mixed(180)),
        sample(
            "bitbucket-secret",
            format!("BITBUCKET_CLIENT_SECRET={}", mixed(32)),
            "bitbucket secret: rotated in May",
        ),
        sample("gitea-token", format!("gitea token: {}", hex(40)), format!("gitea fixed it in {}", hex(40))),
        prefixed("npm-token", "npm_", mixed(36)),
        sample(
            "npmrc-auth-token",
            format!("//registry.example/:_authToken={}", uuid()),
            "//registry.example/:_authToken=${NPM_TOKEN}",
        ),
        prefixed("pypi-token", "pypi-AgE", mixed(150)),
        prefixed("rubygems-key", "rubygems_", hex(48)),
        prefixed("crates-io-token", "cio", mixed(32)),
        prefixed("nuget-key", "oy2", lower(43)),
        prefixed("docker-hub-token", "dckr_pat_", mixed(27)),
        sample(
            "docker-config-auth",
            format!(r#"{{"auths": {{"ghcr.io": {{"auth": "{}"}}}}}}"#, base64(32)),
            r#""auth": "none""#,
        ),
        prefixed("jfrog-key", "AKCp", mixed(69)),
        prefixed("jfrog-reference-token", "cmVmdGtu", mixed(56)),
        prefixed("clojars-token", "CLOJARS_", lower(60)),
        prefixed("packagist-token", "packagist_ort_", hex(68)),
        sample(
            "circleci-token",
            format!("CCIPAT_{}_{}", mixed(22), hex(40)),
            format!("CCIPAT_{}_{}", masked(22), masked(40)),
        ),
        sample("circleci-token-old", format!("CIRCLE_TOKEN={}", hex(40)), format!("CIRCLE_SHA1={}", hex(40))),
        prefixed("buildkite-token", "bkua_", hex(40)),
        sample("travis-token", format!("TRAVIS_TOKEN: {}", mixed(22)), "TRAVIS_TOKEN: ${TRAVIS_TOKEN}"),
        sample("jenkins-token", format!("jenkins api token `{}`", hex(34)), "jenkins api token in the vault"),
        prefixed("sonar-token", "squ_", hex(40)),
        sample("codecov-token", format!("CODECOV_TOKEN={}", uuid()), "CODECOV_TOKEN=${{ secrets.CODECOV_TOKEN }}"),
        sample("snyk-token", format!("SNYK_TOKEN={}", uuid()), format!("snyk issue {}", uuid())),
        prefixed("sourcegraph-token", "sgp_", hex(40)),
        sample("postman-key", format!("PMAK-{}-{}", hex(24), hex(34)), format!("PMAK-{}", masked(59))),
        sample("launchdarkly-key", format!("sdk-{}", uuid()), format!("request {}", uuid())),
    ]
}
