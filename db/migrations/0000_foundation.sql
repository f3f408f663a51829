CREATE TABLE "api_keys" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"masked" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text NOT NULL,
	"actor_label" text NOT NULL,
	"action" text NOT NULL,
	"target" text,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auth_sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "auth_verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "claims" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"token_hash" text NOT NULL,
	"project_id" text,
	"email" text,
	"role" text,
	"created_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "members" (
	"project_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_project_id_user_id_pk" PRIMARY KEY("project_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "projects_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"operator" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "work" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"revision" integer NOT NULL,
	"verifier" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"owner" text,
	"fence" bigint DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"deaths" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "work_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "work_attempts" (
	"project_id" text NOT NULL,
	"work_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"worker" text NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone DEFAULT now() NOT NULL,
	"end" text NOT NULL,
	"reason" text,
	CONSTRAINT "work_attempts_project_id_work_id_attempt_pk" PRIMARY KEY("project_id","work_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "dead_letters" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"route" text NOT NULL,
	"code" text NOT NULL,
	"message" text NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "dead_letters_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"project_id" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer NOT NULL,
	"answer" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_project_id_key_pk" PRIMARY KEY("project_id","key")
);
--> statement-breakpoint
CREATE TABLE "turn_originals" (
	"project_id" text NOT NULL,
	"turn_id" text NOT NULL,
	"content_hash" text NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "turn_originals_project_id_turn_id_content_hash_pk" PRIMARY KEY("project_id","turn_id","content_hash")
);
--> statement-breakpoint
CREATE TABLE "turn_versions" (
	"project_id" text NOT NULL,
	"turn_id" text NOT NULL,
	"content_hash" text NOT NULL,
	"payload" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "turn_versions_project_id_turn_id_content_hash_pk" PRIMARY KEY("project_id","turn_id","content_hash")
);
--> statement-breakpoint
CREATE TABLE "turns" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"session_id" text,
	"trace_id" text,
	"source" text,
	"model" text,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"content_hash" text NOT NULL,
	"payload" text NOT NULL,
	"flags" text[] NOT NULL,
	CONSTRAINT "turns_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "integrity_rollups" (
	"project_id" text NOT NULL,
	"day" date NOT NULL,
	"model" text NOT NULL,
	"answers" bigint DEFAULT 0 NOT NULL,
	"fallback_scans" bigint DEFAULT 0 NOT NULL,
	"figures" bigint DEFAULT 0 NOT NULL,
	"unsourced" bigint DEFAULT 0 NOT NULL,
	"reprompts" bigint DEFAULT 0 NOT NULL,
	"reprompts_helped" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "integrity_rollups_project_id_day_model_pk" PRIMARY KEY("project_id","day","model")
);
--> statement-breakpoint
CREATE TABLE "project_settings" (
	"project_id" text PRIMARY KEY NOT NULL,
	"integrity_enabled" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scores" (
	"project_id" text NOT NULL,
	"verdict_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"name" text NOT NULL,
	"evaluator" text NOT NULL,
	"state" text NOT NULL,
	"value" double precision,
	"met" boolean,
	"must_pass" boolean NOT NULL,
	"weight" double precision NOT NULL,
	"reasoning" text,
	"evidence" jsonb NOT NULL,
	"model" text,
	"prompt_version" text,
	"cost_usd" double precision NOT NULL,
	"latency_ms" double precision NOT NULL,
	"cached" boolean NOT NULL,
	CONSTRAINT "scores_project_id_verdict_id_ordinal_pk" PRIMARY KEY("project_id","verdict_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "verdict_rollups" (
	"project_id" text NOT NULL,
	"day" date NOT NULL,
	"verifier_slug" text NOT NULL,
	"model" text NOT NULL,
	"passed" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	"needs_review" bigint DEFAULT 0 NOT NULL,
	"steered" bigint DEFAULT 0 NOT NULL,
	"inconclusive" bigint DEFAULT 0 NOT NULL,
	"skipped" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "verdict_rollups_project_id_day_verifier_slug_model_pk" PRIMARY KEY("project_id","day","verifier_slug","model")
);
--> statement-breakpoint
CREATE TABLE "verdicts" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"verifier_slug" text NOT NULL,
	"verifier_version" integer NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"revision" integer NOT NULL,
	"turn_id" text,
	"trace_id" text,
	"session_id" text,
	"model" text,
	"client_id" text,
	"outcome" text NOT NULL,
	"verdict" text,
	"action" text NOT NULL,
	"score" double precision,
	"confidence" double precision,
	"needs_human_review" boolean NOT NULL,
	"decision_state" text NOT NULL,
	"decision_reason" text,
	"issues" jsonb NOT NULL,
	"feedback" text,
	"detail" jsonb NOT NULL,
	"excerpt" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "verdicts_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "verifier_versions" (
	"project_id" text NOT NULL,
	"slug" text NOT NULL,
	"version" integer NOT NULL,
	"kind" text NOT NULL,
	"config" jsonb NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "verifier_versions_project_id_slug_version_pk" PRIMARY KEY("project_id","slug","version")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth_accounts" ADD CONSTRAINT "auth_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth_sessions" ADD CONSTRAINT "auth_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_id" ON "api_keys" USING btree ("id");--> statement-breakpoint
CREATE INDEX "audit_events_project" ON "audit_events" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "auth_accounts_user" ON "auth_accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "auth_sessions_user" ON "auth_sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "claims_token" ON "claims" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "claims_project" ON "claims" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "members_user" ON "members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "work_due" ON "work" USING btree ("due_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "work_quarantined" ON "work" USING btree ("project_id","created_at") WHERE state = 'quarantined';--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "turns_received" ON "turns" USING btree ("project_id","received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "verdicts_subject" ON "verdicts" USING btree ("project_id","subject_kind","subject_id","revision","verifier_slug","verifier_version");--> statement-breakpoint
CREATE INDEX "verdicts_settled" ON "verdicts" USING btree ("project_id","settled_at","id");